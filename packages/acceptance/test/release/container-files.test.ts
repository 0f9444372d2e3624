import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, root, run } from '@svc/testing';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type CustomerProject, customerProject } from '../../src/customer-project.ts';

// These tests also run without Docker. They run what the image runs, in a folder that takes the place of its /app.

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const instructions = DockerfileParser.parse(read('docker/Dockerfile')).getInstructions();
/** The arguments of an instruction of the last stage. */
const argumentsOf = (keyword: string) =>
  instructions.findLast((one: Instruction) => one.getKeyword() === keyword)?.getArgumentsContent() ?? '';

let project: CustomerProject;
let data: string;
beforeAll(() => {
  project = customerProject();
  data = join(project.folder, 'data');
  mkdirSync(data);
});
afterAll(() => rmSync(data, { recursive: true }));

/** A command of the image, with its folders. */
const commandOf = (json: string) =>
  (JSON.parse(json) as string[]).map((word) => word.replace('/app', project.folder).replace('/data', data));

describe('docker/Dockerfile', () => {
  test('names files, packages and folders that exist', () => {
    const text = read('docker/Dockerfile');
    for (const [, workspace = ''] of text.matchAll(/-w (\S+)/g)) {
      expect(['@svc/client', '@svc/webhooks', '@svc/mock-server']).toContain(workspace);
    }
    // The build of the repository, as from a fresh clone: nothing is built yet, and the packages need each other.
    expect([...text.matchAll(/npm run .*/g)].map(([line]) => line)).toEqual(['npm run build \\']);
    // `npm pack` does not create its folder.
    const [, packed = ''] = /--pack-destination (\S+)/.exec(text) ?? [];
    expect(text.indexOf(`mkdir ${packed}`)).toBeGreaterThan(0);
    expect(text.indexOf(`mkdir ${packed}`)).toBeLessThan(text.indexOf('npm pack'));
    expect(argumentsOf('USER')).toBe('node');
    const [program] = commandOf(argumentsOf('ENTRYPOINT')).slice(1);
    expect(existsSync(String(program))).toBe(true);
  });

  test('its command starts a server that its health check finds, and that SIGTERM ends with 0', async () => {
    const port = await freePort();
    const settings = Object.fromEntries(
      [...argumentsOf('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    expect(settings).toMatchObject({ SVC_HOST: '0.0.0.0', SVC_PORT: '4010', SVC_DATA: '/data' });
    const env = {
      ...process.env,
      ...settings,
      SVC_DATA: data,
      SVC_PORT: String(port),
      SVC_ADMIN_TOKEN: 'a-token-with-thirty-two-characters',
    };
    const [file = '', ...argv] = [...commandOf(argumentsOf('ENTRYPOINT')), ...commandOf(argumentsOf('CMD'))];
    const server = spawn(file, argv, { env, stdio: ['ignore', 'pipe', 'inherit'], cwd: project.folder });
    const ended = once(server, 'exit');
    let printed = '';
    server.stdout.on('data', (part) => {
      printed += part;
    });
    const [check = '', ...checked] = JSON.parse(argumentsOf('HEALTHCHECK').replace(/^[^[]*/s, '')) as string[];
    const isHealthy = async () => {
      const [status] = await once(spawn(check, checked, { env }), 'exit');
      return status === 0;
    };
    await vi.waitUntil(isHealthy);
    // Other machines can reach the server, so its credentials are generated, and the demo credentials do not work.
    const statusOf = async (key: string) =>
      (await fetch(`http://127.0.0.1:${port}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status;
    const generated = await vi.waitUntil(() => /svc_sk_test_[\w-]+/.exec(printed)?.[0]);
    expect(await statusOf(generated)).toBe(200);
    expect(await statusOf('svc_sk_test_demo_acme_production')).toBe(401);
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(existsSync(join(data, 'svc-mock.sqlite'))).toBe(true);
    expect(await isHealthy()).toBe(false);
  });

  test('its command does not start without an admin token, since it listens beyond loopback', async () => {
    const [file = '', ...argv] = [...commandOf(argumentsOf('ENTRYPOINT')), 'start', '--host', '0.0.0.0', '--memory'];
    const { SVC_ADMIN_TOKEN: _token, ...env } = process.env;
    const server = spawn(file, argv, { env, stdio: 'ignore' });
    expect(await once(server, 'exit')).toEqual([2, null]);
  });
});

interface ComposeFile {
  services: Record<string, { networks?: { default: { ipv4_address: string } }; [field: string]: unknown }>;
}
const readCompose = (text: string) => parse(text, { merge: true }) as ComposeFile;

/** What the servers of a configuration of nginx lack: a service with a fixed address, because nginx looks it up only once. */
function withoutAddress(nginx: string, { services }: ComposeFile): string[] {
  const asked = [...nginx.matchAll(/^ *server ([\w-]+):\d+/gm)].map(([, name]) => String(name));
  return asked.filter((name) => services[name]?.networks?.default.ipv4_address === undefined);
}

describe('docker/compose.yaml', () => {
  const compose = readCompose(read('docker/compose.yaml'));
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into fields of all kinds.
  const services: any = compose.services;
  const nginx = read('docker/nginx.conf');

  test('has two equal servers behind a proxy, PostgreSQL, and names files that exist', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'svc-1', 'svc-2', 'proxy']);
    const [first, second] = [services['svc-1'], services['svc-2']];
    expect({ ...first, networks: null }).toEqual({ ...second, networks: null });
    expect(first.networks).not.toEqual(second.networks);
    expect(existsSync(join(root, first.build.dockerfile))).toBe(true);
    expect(existsSync(join(root, 'docker', services.proxy.volumes[0].split(':')[0]))).toBe(true);
  });

  test('gives a server more time to stop than it takes', () => {
    expect(Number.parseInt(services['svc-1'].stop_grace_period, 10)).toBeGreaterThan(12);
  });

  test('publishes the port of nginx, which asks both servers on the port of the image', () => {
    const [, port] = /SVC_PORT=(\d+)/.exec(argumentsOf('ENV')) ?? [];
    expect(argumentsOf('EXPOSE')).toBe(port);
    expect([...nginx.matchAll(/^ *server (\S+:\d+)/gm)].map(([, server]) => server)).toEqual([
      `svc-1:${port}`,
      `svc-2:${port}`,
    ]);
    const [, listens] = /listen (\d+);/.exec(nginx) ?? [];
    expect(services.proxy.ports).toEqual([`127.0.0.1:${listens}:${listens}`]);
    expect(services['svc-1'].environment.SVC_PUBLIC_URL).toBe(`http://127.0.0.1:${listens}`);
  });

  test('gives each server that nginx asks an address that stays', () => {
    expect(withoutAddress(nginx, compose)).toEqual([]);
    const changing = readCompose('services: { svc-1: { image: svc-mock }, svc-2: { image: svc-mock } }');
    expect(withoutAddress(nginx, changing)).toEqual(['svc-1', 'svc-2']);
  });
});

describe('The files for containers and their guide', () => {
  /** The variables of a text that the help of `svc-mock start` does not name. */
  const unknownIn = (text: string, help: string) =>
    [...new Set(text.match(/\bSVC_\w+/g))].filter((name) => !help.includes(name));
  let help = '';
  beforeAll(async () => {
    const [, program = ''] = commandOf(argumentsOf('ENTRYPOINT'));
    help = (await run('node', [program, 'start', '--help'])).stdout;
  });

  test.each(['docker/Dockerfile', 'docker/compose.yaml', 'docs/guides/run-in-docker.md'])(
    '%s names only variables that the server knows',
    (file) => {
      expect(unknownIn(read(file), help)).toEqual([]);
    },
  );

  test('would not pass with a mistyped variable', () => {
    expect(unknownIn('SVC_ADMIN_TOKN: x\nSVC_PORT: 1', help)).toEqual(['SVC_ADMIN_TOKN']);
  });

  test('keep secrets and installed packages out of the image', () => {
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['**/node_modules', '.git', '*.env']));
    expect(read('docs/guides/run-in-docker.md')).toContain('svc.env');
  });
});

test('action/action.yml is valid for GitHub', async () => {
  expect(await run('node', ['tools/run.ts', 'action-validator', 'action/action.yml'])).toMatchObject({ status: 0 });
});
