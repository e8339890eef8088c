import Workbook

func sit() {
  print("sat")
}
