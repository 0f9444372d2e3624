// `@svc/webhooks/testing` adds the class. This file does not load it.
test('jsdom has no encoder', () => expect(typeof TextEncoder).toBe('undefined'));
