"""The version. Made from the contract by `npm run docs`."""

VERSION = "1.0.0"
