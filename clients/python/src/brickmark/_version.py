"""The version. Made from the contract by `npm run docs`."""

VERSION = "0.9.0"
