// Command railyard designs and configures the network of a GPU cluster.
package main

func main() {}
