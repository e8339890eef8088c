actor Copy {}
