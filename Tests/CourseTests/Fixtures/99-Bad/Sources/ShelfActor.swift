actor Shelf {}
