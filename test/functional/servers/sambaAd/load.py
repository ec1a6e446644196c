"""Adds the entries of an LDIF file to the directory of a domain controller that does not run, in one transaction. Arguments: smb.conf, LDIF."""

import sys

from samba.auth import system_session
from samba.param import LoadParm
from samba.samdb import SamDB

configuration, ldif = sys.argv[1:]
parameters = LoadParm()
parameters.load(configuration)
directory = SamDB(url=parameters.private_path("sam.ldb"), session_info=system_session(), lp=parameters)
directory.transaction_start()
with open(ldif, encoding="utf8") as text:
    directory.add_ldif(text.read())
directory.transaction_commit()
