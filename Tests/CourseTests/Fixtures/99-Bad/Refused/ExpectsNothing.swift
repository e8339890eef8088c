func fine() {}
