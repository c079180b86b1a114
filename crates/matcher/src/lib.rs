//! Tool model, subjects and permission patterns of the Portcullis permission gate
