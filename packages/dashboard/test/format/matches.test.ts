import { expect, test } from 'vitest';
import { matches, organizationsMatching } from '../../src/format/matches.ts';

test.each([
  ['Acme Production', '', true],
  ['Acme Production', ' prod  ACME ', true],
  ['Acme Production', 'acme staging', false],
  ['Acme Production', 'WSP_01M7', true],
  ['Acme Production', '7', false],
])('%j matches %j: %s', (text, filter, expected) => {
  expect(matches(text, ['wsp_01M7'], filter)).toBe(expected);
});

const organizations = [
  {
    id: 'org_1',
    name: 'Acme',
    workspaces: [
      { id: 'wsp_1', name: 'Production' },
      { id: 'wsp_2', name: 'Staging' },
    ],
  },
  { id: 'org_2', name: 'Globex', workspaces: [{ id: 'wsp_3', name: 'Staging' }] },
  { id: 'org_3', name: 'Empty', workspaces: [] },
];

test.each([
  ['', ['Acme: Production, Staging', 'Globex: Staging', 'Empty: ']],
  ['acme', ['Acme: Production, Staging']],
  ['staging', ['Acme: Staging', 'Globex: Staging']],
  ['acme stag', ['Acme: Staging']],
  ['wsp_3', ['Globex: Staging']],
  ['org_1', ['Acme: Production, Staging']],
  ['3', []],
  ['empty', ['Empty: ']],
  ['nobody', []],
])('the filter %j leaves %j', (filter, left) => {
  const shown = organizationsMatching(organizations, filter);
  expect(shown.map(({ name, workspaces }) => `${name}: ${workspaces.map((one) => one.name).join(', ')}`)).toEqual(left);
});
