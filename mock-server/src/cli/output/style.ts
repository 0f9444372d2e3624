import picocolors from 'picocolors';

/** Functions that color text, or leave it unchanged. */
export type Style = ReturnType<typeof picocolors.createColors>;

/** Colors are for terminals, and never used with `NO_COLOR` (no-color.org: set to any text). */
export function styleFor(stream: { isTTY?: boolean | undefined }, env: NodeJS.ProcessEnv): Style {
  return picocolors.createColors(stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
}

/** The status of a delivery or an endpoint in its color. */
export function styleStatus(style: Style, status: string): string {
  switch (status) {
    case 'success':
    case 'active':
      return style.green(status);
    case 'failed':
      return style.red(status);
    case 'disabled':
    case 'inactive':
      return style.yellow(status);
    default:
      return style.cyan(status);
  }
}
