// Only this file writes to the standard streams of svc-webhooks.

/** Writes to standard output. Escapes all unsafe characters except line feeds and tabs. */
export const print = (text: string): void => void process.stdout.write(visibleText(text));

/** Like {@link print}, but writes to standard error. */
export const printError = (text: string): void => void process.stderr.write(visibleText(text));

/**
 * Writes the exact bytes if the output goes to a program or a file. On a terminal, writes the text with {@link print}.
 */
export function printExactly(bytes: string | Uint8Array): void {
  if (process.stdout.isTTY) print(Buffer.from(bytes).toString());
  else process.stdout.write(bytes);
}

/**
 * Calls the callback when the program that reads the standard output stops reading, as `head` does after a few lines.
 * If writing to standard output fails for another reason, such as a full disk, the process ends with exit code 1.
 */
export function onReaderGone(callback: () => void): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return callback();
    // Node's message contains the code and the system call: `ENOSPC: no space left on device, write`.
    printError(`Cannot write to standard output: ${message.replaceAll(/^\w+: |, \w+$/g, '')}.\n`);
    process.exit(1);
  });
}

/**
 * Characters that can control a terminal or disguise its text: control characters (all escape sequences begin with
 * one), line separators, characters that change the direction of text, and invisible characters. Two joiners and two
 * variation selectors are allowed, because some words and emoji contain them.
 */
const UNSAFE =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** Escapes each unsafe character as in JSON, for example `\u001b`. */
const visibleText = (text: string): string =>
  text.replaceAll(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : escaped(character)));

/** Like {@link visibleText}, for a string that must stay on one line. */
export const visibleLine = (text: string): string => text.replaceAll(UNSAFE, escaped);

/** Hides secrets that a user typed in the wrong place, because terminal output may be recorded. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/wh(?:sec|sk|pk)_\S+/g, 'whsec_…')
    // Also hide secrets without the prefix. A secret has at least 32 characters (24 bytes). This pattern also hides
    // long paths.
    .replaceAll(/[\w+/-]{32,}=*/g, '…');

const SHORT: { [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (character: string): string =>
  SHORT[character] ??
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
