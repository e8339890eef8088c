func accepted() {}
// expected-error@-1 {{this is refused}}
