import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { generateSecret, signWebhook } from '@svc/webhooks/testing';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

const guide = new URL('../../../docs/guides/connect-your-framework.md', import.meta.url);

/** How the guide converts a secret for a library that decodes base64, by language. */
const conversions = new Map(
  [...readFileSync(guide, 'utf8').matchAll(/^\| ([A-Z]\S*) \| `(.+)` \|$/gm)].map(([, language, code]) => [
    String(language),
    String(code),
  ]),
);
const conversionIn = (language: string) => conversions.get(language) ?? expect.unreachable(`No row for ${language}.`);

const secret = generateSecret();
const text = secret.slice('whsec_'.length);

describe('A Standard Webhooks library', () => {
  const { headers, body } = signWebhook({ secrets: secret, event: 'lifecycle.evaluated' });

  it('verifies with a secret that is converted as the guide says', () => {
    const converted: string = new Function('text', `return ${conversionIn('JavaScript')}`)(text);
    expect(new Webhook(converted).verify(body, headers)).toMatchObject({ type: 'lifecycle.evaluated' });
  });

  it('refuses the secret at once if it is not converted', () => {
    expect(() => new Webhook(secret)).toThrow();
  });

  // The other rows are not executed: their languages are not needed to develop this project. They replace the same
  // two characters and add the same padding.
  it.skipIf(spawnSync('python3', ['--version']).status !== 0)('gets the same key in Python', () => {
    const program = `import base64, sys; text = sys.argv[1]; print(base64.b64decode(${conversionIn('Python')}, validate=True).hex())`;
    const hex = execFileSync('python3', ['-c', program, text], { encoding: 'utf8' }).trim();
    expect(hex).toBe(Buffer.from(text, 'base64url').toString('hex'));
  });
});
