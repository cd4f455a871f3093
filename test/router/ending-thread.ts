// A thread that ends before it can be asked anything.
process.exit(1);
