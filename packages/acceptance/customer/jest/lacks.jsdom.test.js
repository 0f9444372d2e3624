// `@svc/webhooks/testing` would add `TextEncoder`, but this file does not load that module.
test('jsdom has no encoder', () => expect(typeof TextEncoder).toBe('undefined'));
