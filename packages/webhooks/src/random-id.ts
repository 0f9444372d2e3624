/** Returns a random id of 32 hexadecimal digits. Does not use `crypto.randomUUID`, because Jest's jsdom lacks it. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
