import { freePort } from '@svc/testing';
import { expect, test } from 'vitest';
import { conforms } from '../src/report/counts.ts';
import { toJson } from '../src/report/json.ts';
import { toJunit } from '../src/report/junit.ts';
import { createTable, summaryOf } from '../src/report/text.ts';
import { type Outcome, type Result, reasonOf } from '../src/run.ts';
import { section } from '../src/statement.ts';

const check = async () => {};

/** Four statements in two sections, one with each outcome. */
function fourResults(): Result[] {
  const lists = section('document', 'Lists');
  lists.state('lists.a', 'Lists have <data> & URLs', check, 'key');
  lists.state('lists.b', 'Lists are newest first', check);
  lists.state('lists.c', 'Lists are complete', check, 'token');
  const errors = section('decision', 'Errors');
  errors.state('errors.a', 'A wrong method is 405', check, 'key');
  const outcomes: [Outcome, string | undefined][] = [
    ['pass', undefined],
    ['fail', 'expected 1\nbut got "2" <b>'],
    ['not testable', 'needs a personal access token (--token)'],
    ['differs', 'expected 405'],
  ];
  return [...lists.statements, ...errors.statements].map((statement, at) => {
    const [outcome, reason] = outcomes[at] ?? ['pass', undefined];
    return { statement, outcome, reason };
  });
}

const without = (outcome: Outcome) => fourResults().filter((result) => result.outcome !== outcome);

test('the table has a heading for each section, a row for each statement, and the reasons', () => {
  const results = fourResults();
  let printed = '';
  const print = createTable(
    results.map(({ statement }) => statement),
    (text) => {
      printed += text;
    },
  );
  for (const result of results) print(result);
  expect(printed).toBe(`Lists (service document)
  pass          lists.a   Lists have <data> & URLs
  FAIL          lists.b   Lists are newest first
                expected 1
                but got "2" <b>
  not testable  lists.c   Lists are complete
                needs a personal access token (--token)

Errors (decision)
  differs       errors.a  A wrong method is 405
                expected 405
`);
});

test('the summary counts the statements of the document and the decisions apart', () => {
  expect(summaryOf(fourResults())).toBe(`
                  pass  fail  differs  not testable
service document     1     1        0             1
decisions            0     0        1             0

The service does not conform: 1 statement of the service document fails. It differs from the reference server in 1 decision. 3 of 4 statements were checked.
`);
});

test('a service conforms unless a statement of the document fails', () => {
  expect(conforms(fourResults())).toBe(false);
  expect(conforms(without('fail'))).toBe(true);
  expect(summaryOf(without('fail'))).toContain(
    'The service conforms. It differs from the reference server in 1 decision.',
  );
});

test('the JSON has every statement with its outcome and reason', () => {
  const { conforms: isFine, counts, statements, url } = JSON.parse(toJson('https://service.test', fourResults()));
  expect([url, isFine]).toEqual(['https://service.test', false]);
  expect(counts.document).toEqual({ pass: 1, fail: 1, differs: 0, 'not testable': 1 });
  expect(statements[3]).toEqual({
    id: 'errors.a',
    source: 'decision',
    section: 'Errors',
    text: 'A wrong method is 405',
    needs: 'key',
    outcome: 'differs',
    reason: 'expected 405',
  });
});

test('in the JUnit report, only a statement of the document fails, and texts are escaped', () => {
  expect(toJunit('https://service.test', fourResults())).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conformance of https://service.test" tests="4" failures="1" skipped="2">
  <testsuite name="document: Lists" tests="3" failures="1" skipped="1">
    <testcase classname="document: Lists" name="lists.a: Lists have &lt;data&gt; &amp; URLs"/>
    <testcase classname="document: Lists" name="lists.b: Lists are newest first"><failure message="expected 1">expected 1
but got &quot;2&quot; &lt;b&gt;</failure></testcase>
    <testcase classname="document: Lists" name="lists.c: Lists are complete"><skipped message="not testable: needs a personal access token (--token)"/></testcase>
  </testsuite>
  <testsuite name="decision: Errors" tests="1" failures="0" skipped="1">
    <testcase classname="decision: Errors" name="errors.a: A wrong method is 405"><skipped message="differs: expected 405"/></testcase>
  </testsuite>
</testsuites>
`);
});

test('a reason has no credential, and nothing that acts on a terminal', () => {
  const told = reasonOf(new Error('svc_sk_test_abc svc_pat_x-y whsec_q1_- \u001b[31m\u202e\nnext\tcolumn'));
  expect(told).toBe('svc_sk_… svc_pat_… whsec_… \\u001b[31m\\u202e\nnext\tcolumn');
});

test('the reason of a call without a response says why there is none', async () => {
  const address = `http://127.0.0.1:${await freePort()}`;
  expect(reasonOf(await fetch(address).catch((error: unknown) => error))).toMatch(
    /^fetch failed: connect ECONNREFUSED/,
  );
  expect(reasonOf(new Error('expected 405', { cause: new Error('nothing else') }))).toBe('expected 405');
});
