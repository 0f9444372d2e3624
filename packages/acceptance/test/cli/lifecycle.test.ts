import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { useService } from './support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));

const cli = useService();
afterAll(() => rmSync(folder, { recursive: true }));

const { run } = cli;

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('svc-mock profiles import', () => {
  test('imports NDJSON, then evaluate counts the states', async () => {
    const path = file('two.ndjson', '{"externalId":"a"}\n{"externalId":"b","activeDays":["2020-01-01"]}\n');
    const imported = await run('profiles', 'import', path);
    expect([imported.status, imported.stderr]).toEqual([0, '']);
    expect(imported.stdout).toMatch(/CREATED +UPDATED +UNCHANGED +REJECTED\n2 +0 +0 +0/);
    const { status, stdout } = await run('evaluate', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      evaluation: {
        workspaceId: cli.tenant.workspaceId,
        trigger: 'request',
        profiles: 2,
        states: { new: 1, churned: 1 },
      },
      event: { type: 'lifecycle.evaluated' },
    });
    const again = await run('evaluate');
    expect(again.stdout).toMatch(/Profiles +2\n/);
    expect(again.stdout).toMatch(/churned +1/);
  });

  test('imports a JSON array into the named workspace', async () => {
    const path = file('one.json', '[{"externalId":"c"}]');
    const other = await cli.service.workspace();
    const { status, stdout } = await run('profiles', 'import', path, '--workspace', other.workspaceId, '--json');
    expect([status, JSON.parse(stdout).created]).toEqual([0, 1]);
    const { data } = await cli.service.control.listProfiles({ workspaceId: other.workspaceId });
    expect(data).toMatchObject([{ externalId: 'c' }]);
  });

  test('says what was rejected, with exit code 1', async () => {
    const { status, stderr } = await run(
      'profiles',
      'import',
      file('bad.ndjson', '{"externalId":"d"}\nnonsense\n{}\n'),
    );
    expect(status).toBe(1);
    expect(stderr).toContain(
      '2 lines were rejected; the other lines were imported. Line 2: The profile is not valid JSON.',
    );
  });

  test.each([
    [['profiles', 'import', '/none.ndjson'], 'There is no file /none.ndjson.'],
    [['profiles', 'import', folder], `${folder} is not a file.`],
    [['profiles', 'import'], "missing required argument 'file'"],
    [['profiles'], 'svc-mock profiles requires a command: import.'],
    [['evaluate', '--workspace', 'wsp_none'], 'No such workspace: wsp_none'],
  ])('%j prints one line and ends with exit code 2', async (argv, message) => {
    const { status, stdout, stderr } = await run(...argv);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  test.runIf(process.platform === 'linux')(
    'a file that cannot be read completely causes one line and exit code 2',
    async () => {
      const { status, stdout, stderr } = await run('profiles', 'import', '/proc/self/mem');
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/Cannot read \/proc\/self\/mem: EIO[^\n]*\n$/);
    },
  );

  test('a broken array is refused with the message of the server', async () => {
    const { status, stderr } = await run('profiles', 'import', file('cut.json', '[{"externalId":"e"},'));
    expect(status).toBe(2);
    expect(stderr).toContain('The JSON array does not end: it is cut off after item 1.');
  });
});
