import { expect, test } from 'vitest';
import { HELP, parseCommandLine } from '../src/command-line.ts';

const URL_OF_SERVICE = 'https://service.test/base/';
const parse = (argv: string, environment: Record<string, string> = {}) =>
  parseCommandLine(argv.split(' ').filter(Boolean), environment);

test('the address, the credentials and the results are read from the command line', () => {
  expect(
    parse(`--url ${URL_OF_SERVICE} --api-key svc_sk_a --token svc_pat_b --only auth. --only me --junit r.xml --json`),
  ).toEqual({
    url: 'https://service.test/base',
    apiKey: 'svc_sk_a',
    token: 'svc_pat_b',
    control: undefined,
    adminToken: undefined,
    only: ['auth.', 'me'],
    junit: 'r.xml',
    json: true,
  });
});

test('with the control API, no API key is needed', () => {
  expect(
    parse('--url http://127.0.0.1:4010 --control http://127.0.0.1:4010/_control --admin-token secret'),
  ).toMatchObject({ apiKey: undefined, control: 'http://127.0.0.1:4010/_control', adminToken: 'secret' });
});

test('the address and the credentials can be variables, and an option wins', () => {
  const environment = { SVC_BASE_URL: URL_OF_SERVICE, SVC_API_KEY: 'svc_sk_a', SVC_TOKEN: 'svc_pat_b' };
  expect(parse('', environment)).toMatchObject({ url: 'https://service.test/base', apiKey: 'svc_sk_a' });
  expect(parse('--api-key svc_sk_c', environment)).toMatchObject({ apiKey: 'svc_sk_c', token: 'svc_pat_b' });
});

test.each([
  ['', '--url is missing'],
  ['--url service.test --api-key svc_sk_a', '--url must be an address'],
  ['--url ftp://service.test --api-key svc_sk_a', '--url must be an address'],
  ['--url https://service.test', 'Pass --api-key, or --control'],
  ['--url https://service.test --api-key svc_pat_a', 'begins with svc_sk_.'],
  ['--url https://service.test --api-key svc_sk_a --token svc_sk_a', 'begins with svc_pat_.'],
  ['--url https://service.test --api-key svc_sk_a --admin-token x', '--admin-token needs --control.'],
  ['--url https://service.test --control there', '--control must be an address'],
  ['--url', "Option '--url <value>' argument missing"],
  ['--ulr https://service.test', "Unknown option '--ulr'."],
  ['https://service.test', "Unexpected argument 'https://service.test'."],
])('%j is refused: %s', (argv, why) => {
  expect(() => parse(argv)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(why) }),
  );
});

test('an error does not show a credential', () => {
  const argv = '--url https://service.test --api-key secret-of-somebody';
  expect(() => parse(argv)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('secret-of') }));
});

test.each(['api-key', 'token', 'admin-token'])(
  'a line break in --%s is refused without quoting the credential',
  (option) => {
    const prefix = { 'api-key': 'svc_sk_', token: 'svc_pat_' }[option] ?? '';
    const all = { 'api-key': 'svc_sk_a', control: 'http://127.0.0.1:1/_control', [option]: `${prefix}secret\nline` };
    const argv = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
    expect(() => parseCommandLine([...argv, '--url', URL_OF_SERVICE], {})).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: `--${option} contains white space or another character that no credential can contain.`,
      }),
    );
  },
);

test('the help names every option, and fits in a terminal', () => {
  for (const option of [
    'url',
    'api-key',
    'token',
    'control',
    'admin-token',
    'only',
    'json',
    'junit',
    'help',
    'version',
  ])
    expect(HELP).toContain(`--${option}`);
  expect(Math.max(...HELP.split('\n').map((line) => line.length))).toBeLessThanOrEqual(90);
  expect([parse('--help'), parse('-h'), parse('--version')]).toEqual(['help', 'help', 'version']);
});
