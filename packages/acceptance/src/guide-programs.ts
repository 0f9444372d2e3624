import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { parseGuide } from './guide.ts';
import { whyNotRun } from './not-run.ts';

/** The pages whose programs exit without user input. Tests compile and run these programs. */
export const PROGRAM_PAGES: readonly string[] = [
  'README.md',
  'docs/index.md',
  'packages/client/README.md',
  ...[
    'make-your-first-call',
    'fix-a-failed-delivery',
    'authentication',
    'lists-and-expand',
    'errors-and-retries',
    'rate-limits',
    'mock-the-client',
    'recipes',
    'customize-the-client',
  ].map((name) => `docs/guides/${name}.md`),
];

export interface Place {
  url: string;
  apiKey: string;
  accessToken: string;
  workspaceId: string;
  endpointId: string;
}

/**
 * Writes the programs of a page into a folder, and returns the paths of the files. The programs get the addresses,
 * credentials and ids of a running service.
 */
export function writePrograms(page: string, folder: string, place: Place): string[] {
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, place.apiKey);
  return parseGuide(readFileSync(join(root, page), 'utf8'))
    .filter((block) => block.language === 'ts' && !block.isQuote && !isTest(block.code))
    .filter((block) => whyNotRun(page, block) === undefined)
    .map(({ code, line }) => {
      const file = join(folder, `line-${line}.ts`);
      writeFileSync(
        file,
        `${withPlace(withoutErrors(code), place).replaceAll('/run/secrets/svc', keyFile)}\nexport {};\n`,
      );
      return file;
    });
}

export function writeTests(page: string, folder: string): string[] {
  return parseGuide(readFileSync(join(root, page), 'utf8'))
    .filter(({ code, isQuote }) => isTest(code) && !isQuote)
    .map(({ code, line }) => {
      const file = join(folder, `line-${line}.test.ts`);
      writeFileSync(file, code);
      return file;
    });
}

const isTest = (code: string) => code.includes("from 'vitest'");

/** Removes the lines that a guide shows as type errors. */
const withoutErrors = (code: string) => code.replaceAll(/ *\/\/ @ts-expect-error.*\n.*\n/g, '');

function withPlace(code: string, { url, apiKey, accessToken, workspaceId, endpointId }: Place): string {
  return code
    .replaceAll(/svc_sk_…|svc_sk_test_demo_acme_production/g, apiKey)
    .replaceAll('svc_pat_…', accessToken)
    .replaceAll(/https:\/\/api\.example\.com|http:\/\/127\.0\.0\.1:4010/g, url)
    .replaceAll('wsp_01JNG8M5T0', workspaceId)
    .replaceAll('whe_01JNG8M5T0', endpointId);
}
