let lamp = Subject("lamp", asks: "Is it on?")
let title = "Is it on?"
