import * as library from '@svc/webhooks';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { checkVectors, countChecks, type Vector } from './vectors/check-vectors.ts';
import document from './vectors/vectors.json' with { type: 'json' };

const vectors = document.vectors as Vector[];

describe('the vectors that openssl and Python signed', () => {
  it('have the expected outcomes', () => {
    const report = checkVectors(vectors, library);
    expect(report).toEqual({ build: 'node', checked: countChecks(vectors), wrong: [] });
  });

  it('get the same signatures from standardwebhooks, if it can read the secret and the body', () => {
    let compared = 0;
    for (const { secrets, headers, body, signature } of vectors) {
      const text = 'base64' in body ? Buffer.from(body.base64, 'base64').toString() : body.repeat.repeat(body.count);
      const readable = 'base64' in body ? Buffer.from(text).toString('base64') === body.base64 : true;
      const plain = secrets.length === 1 && /^whsec_[A-Za-z0-9+/]+=*$/.test(secrets[0] ?? '');
      if (signature !== 'accepted' || !readable || !plain || !secrets[0] || secrets[0].length % 4 !== 2) continue;
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const signed = new Webhook(secrets[0]).sign(String(headers['webhook-id']), at, text);
      expect(String(headers['webhook-signature']).split(' ')).toContain(signed);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(40);
  });
});
