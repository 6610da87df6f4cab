"""The ledger of matches over HTTP: kept in a database, and only where one is named.

What a match is and what its entries come to is the scorer's; here entries are stored in order, writers are
kept from overwriting each other, and what is sent twice is entered once.
"""
