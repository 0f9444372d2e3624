import { describe, expect, test } from 'vitest';
import { parseArgv } from '../../src/config/argv.ts';
import { ConfigError } from '../../src/config/config.ts';

const parse = (argv: string[], env: NodeJS.ProcessEnv = {}) => {
  const before = process.env;
  process.env = env;
  try {
    return parseArgv(argv, env, '1.0.0');
  } finally {
    process.env = before;
  }
};

describe('svc-mock start', () => {
  test('has the documented defaults, with and without its name', () => {
    expect(parse([])?.config).toMatchObject({
      port: 4010,
      host: '127.0.0.1',
      dataDir: '.svc-mock',
      strict: false,
      rateLimit: true,
    });
    expect(parse(['start'])).toEqual(parse([]));
  });

  test('takes a PostgreSQL database from the option or the environment, and not beside --memory', () => {
    const url = 'postgres://maria:p4ssw0rd@db.test/app';
    expect(parse([])?.config.databaseUrl).toBeUndefined();
    expect(parse([], { SVC_DATABASE_URL: '' })?.config.databaseUrl).toBeUndefined();
    expect(parse(['--database', url])?.config.databaseUrl).toBe(url);
    expect(parse([], { SVC_DATABASE_URL: url })?.config.databaseUrl).toBe(url);
    expect(() => parse(['--database', url, '--memory'])).toThrow(ConfigError);
    expect(() => parse(['--database', url, '--memory'])).not.toThrow(/p4ssw0rd/);
  });

  test('takes options over the environment over the defaults', () => {
    const env = { SVC_PORT: '5000', SVC_DATA: '/tmp/elsewhere' };
    expect(parse([], env)?.config).toMatchObject({ port: 5000, dataDir: '/tmp/elsewhere' });
    expect(parse(['--port', '0', '--memory'], env)?.config).toMatchObject({ port: 0, dataDir: null });
  });

  test('takes roles in any order, and a time to keep things for', () => {
    expect(parse([])?.config).toMatchObject({ roles: ['api', 'deliver', 'evaluate'], retentionMs: undefined });
    expect(parse(['--roles', 'deliver, api'])?.config.roles).toEqual(['api', 'deliver']);
    expect(parse(['--retention', '90d'])?.config.retentionMs).toBe(90 * 86_400_000);
    expect(parse(['--retention', 'PT12H'])?.config.retentionMs).toBe(12 * 3_600_000);
  });

  test.each([
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
  ])('%j is one clear error', (argv) => {
    expect(() => parse(argv)).toThrow(ConfigError);
  });
});
