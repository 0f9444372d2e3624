import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RETRY_DELAYS_MS } from '@svc/contract';
import { CommanderError } from 'commander';
import { describe, expect, test, vi } from 'vitest';
import { failureOf } from '../../../src/cli/exit-codes.ts';
import { createProgram } from '../../../src/cli/program.ts';
import type { StartCommand } from '../../../src/config/argv.ts';
import { ConfigError } from '../../../src/config/config.ts';
import { startServer } from '../../../src/index.ts';

/**
 * What `svc-mock` starts for a command line; undefined if it printed help. Throws a mistake with the command's message.
 */
const parse = (argv: string[], env: NodeJS.ProcessEnv = {}): StartCommand | undefined => {
  const before = process.env;
  process.env = env;
  let start: StartCommand | undefined;
  try {
    createProgram('1.0.0', env, (asked) => {
      start = asked;
    }).parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw new ConfigError(failureOf(error)?.line);
  } finally {
    process.env = before;
  }
  return start;
};

describe('svc-mock start', () => {
  test('has the documented defaults, with and without the word "start"', () => {
    expect(parse([])?.config).toMatchObject({
      port: 4010,
      host: '127.0.0.1',
      dataDir: '.svc-mock',
      strict: false,
      rateLimit: true,
    });
    expect(parse(['start'])).toEqual(parse([]));
  });

  test('takes its options before its name too', () => {
    const expected = { port: 0, dataDir: null };
    expect(parse(['--memory', '--port', '0', 'start'])?.config).toMatchObject(expected);
    expect(parse(['--port', '0', 'start', '--memory'])?.config).toMatchObject(expected);
    expect(() => parse(['--memory', 'start', 'begin'])).toThrow('There is no command "begin".');
    expect(() => parse(['start', 'start'])).toThrow('There is no command "start".');
    expect(() => parse(['start', '--memory', 'start'])).toThrow('There is no command "start".');
  });

  test('takes a PostgreSQL database from the option or the environment, but not together with --memory', () => {
    const url = 'postgres://maria:p4ssw0rd@db.test/app';
    expect(parse([])?.config.databaseUrl).toBeUndefined();
    expect(parse([], { SVC_DATABASE_URL: '' })?.config.databaseUrl).toBeUndefined();
    expect(parse(['--database', url])?.config.databaseUrl).toBe(url);
    expect(parse([], { SVC_DATABASE_URL: url })?.config.databaseUrl).toBe(url);
    expect(() => parse(['--database', url, '--memory'])).toThrow(/^--memory stores nothing, but --database names/);
    expect(() => parse(['--memory'], { SVC_DATABASE_URL: url })).toThrow(
      /^--memory stores nothing, but SVC_DATABASE_URL names/,
    );
    expect(() => parse(['--database', url, '--memory'])).not.toThrow(/p4ssw0rd/);
  });

  test('prefers options to the environment, and the environment to the defaults', () => {
    const env = { SVC_PORT: '5000', SVC_DATA: '/tmp/elsewhere' };
    expect(parse([], env)?.config).toMatchObject({ port: 5000, dataDir: '/tmp/elsewhere' });
    expect(parse(['--port', '0', '--memory'], env)?.config).toMatchObject({ port: 0, dataDir: null });
  });

  test('takes origins from options, or as a list from the environment', () => {
    expect(parse([])?.config.cors).toEqual([]);
    expect(parse(['--cors', 'http://a.test', '--cors', 'http://b.test:81'])?.config.cors).toEqual([
      'http://a.test',
      'http://b.test:81',
    ]);
    expect(parse([], { SVC_CORS: 'http://a.test, http://b.test' })?.config.cors).toEqual([
      'http://a.test',
      'http://b.test',
    ]);
    const why = '"a.test" is not an origin. Write scheme, host and port, for example http://localhost:5173.';
    const help = 'Try: svc-mock start --help';
    expect(() => parse(['--cors', 'a.test'])).toThrow(
      `option '--cors <origin>' argument 'a.test' is invalid. ${why} ${help}`,
    );
    expect(() => parse(['--cors', 'http://*.test'])).toThrow('"http://*.test" is not an origin.');
    expect(() => parse([], { SVC_CORS: 'a.test' })).toThrow(
      `option '--cors <origin>' value 'a.test' from env 'SVC_CORS' is invalid. ${why} ${help}`,
    );
  });

  test('takes roles in any order, and a retention time', () => {
    expect(parse([])?.config).toMatchObject({ roles: ['api', 'deliver', 'evaluate'], retentionMs: undefined });
    expect(parse(['--roles', 'deliver, api'])?.config.roles).toEqual(['api', 'deliver']);
    expect(parse(['--retention', '90d'])?.config.retentionMs).toBe(90 * 86_400_000);
    expect(parse(['--retention', 'PT12H'])?.config.retentionMs).toBe(12 * 3_600_000);
  });

  test('takes a maximum number of connections', () => {
    expect(parse([])?.config.maxConnections).toBeUndefined();
    expect(parse(['--max-connections', '100'])?.config.maxConnections).toBe(100);
  });

  test.each([
    [['--max-connections', '0']],
    [['--max-connections', 'many']],
    [['--roles', 'api,sell']],
    [['--roles', '']],
    [['--retention', '0d']],
    [['--retention', 'soon']],
    [['--port', 'abc']],
    [['--port', '65536']],
    [['--port']],
    [['--prot', '1']],
    [['--public-url', 'ftp://x']],
    [['--concurrency', '0']],
    [['begin']],
    [['start', 'again']],
    [['--seed', '/nowhere/seed.json']],
    [['--port', '1\n2']],
    [['--data', '']],
    [['--start-at', '2027-02-30T00:00:00Z']],
    [['--start-at', '9999-01-01T00:00:00Z']],
    [['help', 'begin']],
    [['help', 'clock', 'stop']],
    [['help', 'trigger', 'now']],
  ])('%j causes an error of one clear line', (argv) => {
    expect(() => parse(argv)).toThrow(ConfigError);
    expect(() => parse(argv)).toThrow(/^[^\n]+$/);
  });

  test('reports what is wrong, what was probably meant, and how to get help', () => {
    expect(() => parse(['--port', 'abc'])).toThrow(
      "option '--port <port>' argument 'abc' is invalid. The value must be an integer between 0 and 65535. Try: svc-mock start --help",
    );
    expect(() => parse(['--prot', '1'])).toThrow(
      "unknown option '--prot' (Did you mean --port?). Try: svc-mock start --help",
    );
  });

  test('does not quote the value of an unknown option, because the value may be a secret', () => {
    const given = ["--admin-tokn=it's=a\nsecret"];
    expect(() => parse(given)).toThrow(/^unknown option '--admin-tokn'( \(Did you mean --admin-token\?\))?\. Try: /);
  });

  test('reports an unknown command', () => {
    expect(() => parse(['version'])).toThrow('There is no command "version". Did you mean: svc-mock --version');
    expect(() => parse(['-v'])).toThrow("unknown option '-v' (Did you mean --version?). Try: svc-mock start --help");
    expect(() => parse(['begin'])).toThrow('There is no command "begin". Try: svc-mock --help');
    expect(() => parse(['help', 'begin'])).toThrow('There is no command "begin". Try: svc-mock --help');
    // These options exist, but not for `start`, which is the default command.
    expect(() => parse(['event', 'list', '--workspace', 'wsp_1'])).toThrow('There is no command "event". Did you mean');
    expect(() => parse(['--port', '0', 'begin', '--server', 'x'])).toThrow('There is no command "begin".');
    expect(() => parse(['--port', '0', 'start', '--server', 'x'])).toThrow("unknown option '--server'");
    const extra = 'There is no command "trigger now". Try: svc-mock trigger --help';
    expect(() => parse(['help', 'trigger', 'now'])).toThrow(extra);
  });

  test('shows every command in the help, and every option with its default in the help of start', () => {
    const say = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const help = (argv: string[]) => {
      say.mockClear();
      expect(parse(argv)).toBeUndefined();
      return say.mock.calls.map(([text]) => text).join('');
    };
    const all = help(['--help']);
    const text = help(['start', '--help']);
    say.mockRestore();
    for (const name of ['start', 'listen', 'trigger', 'deliveries', 'clock']) expect(all).toMatch(`\n  ${name} `);
    expect(text).toContain('--port <port>');
    const oneLine = text.replaceAll(/\s+/g, ' ');
    expect(oneLine).toContain('repeatable (default: none)');
    expect(oneLine).toContain('waits between attempts (default: 5m,30m,2h,5h,10h,12h,12h,12h,12h,12h)');
    expect(oneLine).toContain('api serves /v1, deliver makes attempts, evaluate runs due evaluations and syncs');
    expect(parse([])?.config).toMatchObject({ allowNetworks: [], retryDelaysMs: RETRY_DELAYS_MS });
  });

  test('an empty seed file is refused, and does not mean the demo tenants', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'svc-seed-')), 'seed.yaml');
    for (const text of ['', '\n# nothing yet\n', 'null']) {
      writeFileSync(file, text);
      expect(() => parse(['--seed', file])).toThrow(`The seed file ${file} is empty`);
    }
    writeFileSync(file, '{}');
    expect(parse(['--seed', file])?.config.seed).toEqual({});
    rmSync(dirname(file), { recursive: true });
  });

  test('a seed file that cannot be parsed causes an error of one clear line', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'svc-seed-')), 'seed.yaml');
    writeFileSync(file, 'users: [');
    expect(() => parse(['--seed', file])).toThrow(/^The seed file [^\n]+ is neither JSON nor YAML: [^\n]+[^:\n]$/);
    writeFileSync(file, 'users: []');
    expect(parse(['--seed', file])?.config.seed).toEqual({ users: [] });
    rmSync(dirname(file), { recursive: true });
  });
});

describe('--public-url', () => {
  test.each([
    ['https://api.test', 'https://api.test'],
    ['https://api.test:8443/svc/@v/', 'https://api.test:8443/svc/@v'],
    ['http://[::1]:4010//', 'http://[::1]:4010'],
  ])('%s is accepted as a base of URLs', (url, base) => {
    expect(parse(['--public-url', url])?.config.publicUrl).toBe(base);
    expect(parse([], { SVC_PUBLIC_URL: url })?.config.publicUrl).toBe(base);
  });

  test.each([
    'https://api.test/?tenant=1',
    'https://api.test?',
    'https://api.test/#top',
    'https://api.test#',
    'https://maria:p4ssw0rd@api.test',
    'https://@api.test',
    'https:api.test',
    'https://api.test\\x',
    'https://api.test/a b',
    ' https://api.test',
    'https://',
    '//api.test',
    '',
  ])('%j is refused with one line that does not repeat it', async (url) => {
    const problem =
      'The public URL (--public-url or SVC_PUBLIC_URL) must be an absolute http or https URL without user info, query or fragment.';
    expect(() => parse(['--public-url', url])).toThrow(new ConfigError(problem));
    await expect(startServer({ port: 0, dataDir: null, publicUrl: url })).rejects.toThrow(new ConfigError(problem));
  });
});
