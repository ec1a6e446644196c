"""What django-scim2 asks of a program that stores its users and groups."""
