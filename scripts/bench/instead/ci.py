#!/usr/bin/env python3
"""What a CI job would run instead: makes the mappings of Plane equal to mappings.yaml.

usage: ci.py plan|apply [--allow-deletes]     (PLANE_BASE_URL, PLANE_API_KEY)
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request

import yaml

BASE = os.environ['PLANE_BASE_URL'] + '/api/v1/workspaces'
HEADERS = {'X-API-Key': os.environ['PLANE_API_KEY'], 'Content-Type': 'application/json'}
DELETES_MAX = 10


def call(method, path, body=None):
    """Sends one request. Waits and sends it again after a 429, and after nothing else: a create may have been executed."""
    data = None if body is None else json.dumps(body).encode()
    for _ in range(20):
        try:
            request = urllib.request.Request(f'{BASE}/{path}', data, HEADERS, method=method)
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            if error.code != 429:
                sys.exit(f'{method} {path}: {error.code} {error.read()[:200]}')
            time.sleep(float(error.headers.get('Retry-After') or 1))
    sys.exit(f'{method} {path}: still refused with 429')


def declared():
    """(workspace, list) → {(group, project): role}"""
    with open('mappings.yaml', encoding='utf-8') as file:
        workspaces = yaml.safe_load(file)
    wanted = {}
    for workspace, rules in workspaces.items():
        wanted[workspace, 'workspace'], wanted[workspace, 'project'] = {}, {}
        for rule in rules:
            for project in rule.get('projects', [None]):
                kind = 'workspace' if project is None else 'project'
                wanted[workspace, kind][rule['group'], project] = rule['role']
    return wanted


def changes(workspace, kind, wanted):
    """The requests that make one list as declared."""
    path = f'{workspace}/group-sync/{kind}-mappings/'
    rows = call('GET', path)
    seen = set()
    for row in rows['results'] if isinstance(rows, dict) else rows:
        key = row['idp_group_name'], row.get('project')
        if key not in wanted or key in seen:
            yield 'DELETE', f"{path}{row['id']}/", None
        elif row['role'] != wanted[key]:
            yield 'PATCH', f"{path}{row['id']}/", {'role': wanted[key]}
        seen.add(key)
    for (group, project), role in wanted.items():
        if (group, project) not in seen:
            target = {} if project is None else {'project': project, 'all_projects': False}
            yield 'POST', path, {'idp_group_name': group, 'role': role, **target}


todo = [change for (workspace, kind), wanted in declared().items() for change in changes(workspace, kind, wanted)]
deletes = sum(method == 'DELETE' for method, _, _ in todo)
for method, path, body in todo:
    print(method, path, body or '')
print(f'{len(todo)} changes')
if sys.argv[1] == 'apply':
    if deletes > DELETES_MAX and '--allow-deletes' not in sys.argv:
        sys.exit(f'refused: {deletes} deletes are more than {DELETES_MAX}')
    for change in todo:
        call(*change)
