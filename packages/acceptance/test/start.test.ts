import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run, startProcess } from '@svc/testing';
import { afterEach, describe, expect, test } from 'vitest';

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-acceptance-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const svcMock = (...argv: string[]) => run('node', ['mock-server/dist/main.js', ...argv]);

describe('npm start', () => {
  test('prints the ready line, accepts its credentials, and ends on SIGTERM with exit 0', async () => {
    await using server = await startProcess(['--memory'], ['npm', 'start', '--silent', '--']);
    expect(server.ready).toMatchObject({
      ready: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      controlUrl: `${server.ready.url}/_control`,
      profile: 'local',
      database: 'sqlite',
    });
    for (const { credential } of server.ready.credentials) {
      const answer = await fetch(`${server.ready.url}/v1/me`, { headers: { authorization: `Bearer ${credential}` } });
      expect(answer.status).toBe(200);
    }
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  // Debian's sh stays in front of a command without `exec`, and dies of the signal that npm passes on to it.
  test('begins with exec, so that npm signals the server, and cmd finds a command of that name', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(scripts.start).toMatch(/^exec node /);
    // cmd looks in the folder of the script first. `%*` is the rest of its line.
    expect(readFileSync(join(root, 'exec.cmd'), 'utf8')).toMatch(/^@rem .*\n@%\*\n$/);
  });

  test('also ends on SIGINT with exit 0', async () => {
    await using server = await startProcess(['--memory']);
    expect(await server.end('SIGINT')).toEqual({ code: 0, signal: null });
  });

  test('prints a curl line for people that responds with 200 with a workspace', async () => {
    const child = spawn('node', ['mock-server/dist/main.js', '--memory', '--port', '0'], { cwd: root });
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      if (text.includes('Ctrl+C')) break;
    }
    const [, header, value, url] = /^ +curl -H "(\w+): ([^"]+)" (\S+)$/m.exec(text) ?? [];
    const answer = await fetch(String(url), { headers: { [String(header)]: String(value) } });
    const body = await answer.json();
    child.kill('SIGTERM');
    expect({ status: answer.status, body }).toMatchObject({ status: 200, body: { workspace: { name: 'Production' } } });
  });
});

describe('The server prints one clear line and ends with exit 2 for', () => {
  test('bad options', async () => {
    for (const argv of [['--port', 'x'], ['--nope'], ['dance'], ['--host', '0.0.0.0', '--memory']]) {
      const { status, stdout, stderr } = await svcMock(...argv);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^svc-mock: \S/);
      expect(stderr).not.toMatch(/\n {4}at /);
    }
  });

  test('a busy port', async () => {
    const busy = createServer();
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const { port } = busy.address() as { port: number };
    const { status, stderr } = await svcMock('--memory', '--port', String(port));
    busy.close();
    expect(status).toBe(2);
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`);
  });

  test('a second server on the same data folder, while the first one runs', async () => {
    const data = newFolder();
    await using _first = await startProcess(['--data', data]);
    const { status, stderr } = await svcMock('--data', data, '--port', '0');
    expect(status).toBe(2);
    expect(stderr).toContain(`Another server is using the data folder ${data}`);
  });

  test('a missing master key, and a wrong one', async () => {
    const data = newFolder();
    {
      await using first = await startProcess(['--data', data]);
      const { credential } = first.ready.credentials[0] ?? {};
      const created = await fetch(`${first.ready.url}/v1/webhooks/endpoints`, {
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: 'https://receiver.test/', subscribedEvents: ['*'] }),
      });
      expect(created.status).toBe(201);
      await first.end('SIGTERM');
    }
    rmSync(join(data, 'master.key'));
    const missing = await svcMock('--data', data, '--port', '0');
    expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no master key in') });
    writeFileSync(join(data, 'master.key'), randomBytes(32).toString('base64'));
    const wrong = await svcMock('--data', data, '--port', '0');
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('does not belong to this data') });
  });

  test('--strict on a data folder that has the demo tenants', async () => {
    const data = newFolder();
    {
      await using first = await startProcess(['--data', data]);
      await first.end('SIGTERM');
    }
    const { status, stdout, stderr } = await svcMock('--data', data, '--port', '0', '--strict');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.trimEnd()).toMatch(/^svc-mock: --strict rejects this database: .+$/);
  });

  test('a database that does not respond or is not PostgreSQL, without its password', async () => {
    const data = newFolder();
    for (const url of [
      'postgres://maria:p4ssw0rd@127.0.0.1:1/app',
      'mysql://maria:p4ssw0rd@127.0.0.1/app',
      'p4ssw0rd',
    ]) {
      const { status, stdout, stderr } = await svcMock('--data', data, '--database', url);
      expect([url, status, stdout]).toEqual([url, 2, '']);
      expect(stderr.trimEnd()).toMatch(/^svc-mock: .+$/);
      expect(stderr).not.toContain('p4ssw0rd');
    }
  });

  test.each([
    ['', 'The admin token is empty'],
    ['sh0rt'.repeat(6), 'The admin token must have at least 32 characters'],
  ])('the admin token "%s"', async (token, says) => {
    const { status, stdout, stderr } = await svcMock('--memory', '--port', '0', '--admin-token', token);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('sh0rt');
  });

  test('a damaged database, or an unreadable master key', async () => {
    const damaged = newFolder();
    writeFileSync(join(damaged, 'svc-mock.sqlite'), 'this is no database'.repeat(100));
    const first = await svcMock('--data', damaged, '--port', '0');
    expect(first).toMatchObject({ status: 2, stderr: expect.stringContaining('Cannot open the database') });
    const keyless = newFolder();
    mkdirSync(join(keyless, 'master.key'));
    const second = await svcMock('--data', keyless, '--port', '0');
    expect(second).toMatchObject({ status: 2, stderr: expect.stringContaining('Cannot read the master key') });
  });

  test('a broken seed file', async () => {
    const { status, stderr } = await svcMock('--memory', '--port', '0', '--seed', 'LICENSE');
    expect(status).toBe(2);
    expect(stderr).toContain('seed');
  });
});

test('a new data folder is for its owner only, and so is every file in it and in an existing folder', async () => {
  const data = join(newFolder(), 'data');
  await using _server = await startProcess(['--data', data]);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  const open = newFolder();
  chmodSync(open, 0o755);
  await using _second = await startProcess(['--data', open]);
  for (const folder of [data, open]) {
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o077, file).toBe(0);
  }
  // Git does not see the master key. What to do with an existing folder is its owner's choice.
  expect(readFileSync(join(data, '.gitignore'), 'utf8')).toBe('*\n');
  expect(readdirSync(open)).not.toContain('.gitignore');
});

/** What a server with these options writes to standard error, without `--json`, until it is asked to end. */
async function logForPeople(argv: string[], meanwhile: (url: string) => Promise<unknown> = async () => {}) {
  const child = spawn('node', ['mock-server/dist/main.js', '--port', '0', ...argv], { cwd: root });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('Ctrl+C')) break;
  }
  await meanwhile(/ready at (\S+)/.exec(text)?.[1] ?? '');
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
  return log;
}

test('at a terminal, the server warns about a shared data folder and about unknown input, and else says nothing', async () => {
  const shared = newFolder();
  chmodSync(shared, 0o777);
  const headers = { authorization: 'Bearer svc_sk_test_demo_acme_production' };
  const read = (path: string) => (url: string) => fetch(url + path, { headers });
  const log = await logForPeople(['--data', shared], read('/v1/events?createdAfter=1'));
  expect(log).toContain('other users can write to the data folder');
  expect(log).toContain('ignored unknown input: query.createdAfter');
  expect(await logForPeople(['--memory'], read('/v1/events?limit=1'))).toBe('');
});

test('import warns about a data folder that others can write to', async () => {
  const [from, shared, own, file] = [newFolder(), newFolder(), newFolder(), join(newFolder(), 'all.ndjson')];
  chmodSync(shared, 0o777);
  await using server = await startProcess(['--data', from]);
  await server.end('SIGTERM');
  await svcMock('export', file, '--data', from);
  const imported = async (data: string) => {
    writeFileSync(join(data, 'master.key'), readFileSync(join(from, 'master.key')), { mode: 0o600 });
    return await svcMock('import', file, '--data', data);
  };
  expect(await imported(shared)).toMatchObject({ status: 0, stderr: expect.stringContaining('Other users can write') });
  expect(await imported(own)).toMatchObject({ status: 0, stderr: '' });
});

test('the log warns about a data folder that others can write to, and only about that', async () => {
  const shared = newFolder();
  chmodSync(shared, 0o777);
  await using first = await startProcess(['--data', shared]);
  expect(first.stderr()).toContain('other users can write to the data folder');
  await using second = await startProcess(['--data', newFolder()]);
  expect(second.stderr()).not.toContain('other users');
});
