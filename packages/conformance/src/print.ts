// Only this file writes to the standard streams of svc-conformance.

export const print = (text: string): void => void process.stdout.write(visibleText(text));

export const printError = (text: string): void => void process.stderr.write(visibleText(text));

/**
 * Keeps the command running if the program that reads the output exits early, as `head` does. The exit code still
 * reports the result.
 */
export function continueWithoutReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/**
 * Characters that control a terminal or disguise what it shows: control characters, line separators, characters that
 * change the direction of text, and invisible characters. The pattern skips joiners and variation selectors, because
 * words and emoji need these characters.
 */
const UNSAFE =
  /(?!\n|\t|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** Escapes unsafe characters as in JSON, and keeps line feeds and tabs. */
export const visibleText = (text: string): string =>
  text.replaceAll(UNSAFE, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
