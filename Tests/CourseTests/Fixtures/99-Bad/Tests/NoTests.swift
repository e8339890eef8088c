func check() {}
