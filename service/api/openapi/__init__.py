"""The OpenAPI document, generated from the schemas; its examples are computed, not written."""
