import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config/config.ts';
import { canOthersWrite } from '../../../src/config/data-folder.ts';
import { startApi } from '../../support/api.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-data-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('A link in the data folder', () => {
  it.each(['svc-mock.sqlite', 'server.lock'])('is not followed: %s', async (name) => {
    const other = join(folder, 'somebody-else');
    writeFileSync(other, '', { mode: 0o644 });
    chmodSync(other, 0o644);
    symlinkSync(other, join(folder, name));
    await expect(startApi({ dataDir: folder })).rejects.toThrow(`${join(folder, name)} is a symbolic link`);
    expect({ mode: modeOf(other), text: readFileSync(other, 'utf8') }).toEqual({ mode: 0o644, text: '' });
    rmSync(join(folder, name));
    // The failed start left no lock.
    await using _server = await startApi({ dataDir: folder });
  });

  it('that leads nowhere creates nothing', async () => {
    symlinkSync(join(folder, 'nowhere'), join(folder, 'svc-mock.sqlite'));
    await expect(startApi({ dataDir: folder })).rejects.toThrow('is a symbolic link');
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  it('does not matter if the folder itself is one', async () => {
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    try {
      await using _server = await startApi({ dataDir: link });
      expect(modeOf(join(folder, 'svc-mock.sqlite'))).toBe(0o600);
    } finally {
      rmSync(link);
    }
  });
});

it.each(['svc-mock.sqlite', 'server.lock'])(
  'a folder in the place of %s is reported, without a stack',
  async (name) => {
    mkdirSync(join(folder, name));
    const failed = startApi({ dataDir: folder });
    await expect(failed).rejects.toThrow(`Cannot use the data folder ${folder}: `);
    await expect(failed).rejects.toBeInstanceOf(ConfigError);
    rmSync(join(folder, name), { recursive: true });
    await using _server = await startApi({ dataDir: folder });
  },
);

it('a path that is too long is reported, without a stack', async () => {
  const failed = startApi({ dataDir: join(folder, 'a'.repeat(300)) });
  await expect(failed).rejects.toThrow('ENAMETOOLONG');
  await expect(failed).rejects.toBeInstanceOf(ConfigError);
});

it('a database that others could read is restricted to its owner', async () => {
  writeFileSync(join(folder, 'svc-mock.sqlite'), '');
  chmodSync(join(folder, 'svc-mock.sqlite'), 0o666);
  await using _server = await startApi({ dataDir: folder });
  expect(modeOf(join(folder, 'svc-mock.sqlite'))).toBe(0o600);
});

describe('Others can write to a folder', () => {
  it.each([
    [0o700, false],
    [0o755, false],
    [0o775, true],
    [0o702, true],
    [0o1777, true],
  ])('of mode %o: %s', (mode, expected) => {
    chmodSync(folder, mode);
    expect(canOthersWrite(folder)).toBe(expected);
  });

  it('but not to one that does not exist yet', () => {
    expect(canOthersWrite(join(folder, 'new'))).toBe(false);
  });
});
