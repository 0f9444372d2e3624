/** The options of all commands, for `parseArgs`, each with the line that help shows. */
export const OPTIONS = {
  secret: {
    type: 'string',
    short: 's',
    multiple: true,
    help: '<text>   signing secret; repeat for several. Else the variable WEBHOOK_SECRET',
  },
  event: { type: 'string', short: 'e', help: '<type>    an event of this type, webhook.ping unless given' },
  body: { type: 'string', short: 'b', help: '<file>     this body; - is standard input' },
  header: {
    type: 'string',
    short: 'H',
    multiple: true,
    help: '<line>   a header of the request, "name: value"; repeat',
  },
  id: { type: 'string', help: '<text>       webhook-id, a new one unless given' },
  timestamp: { type: 'string', help: '<s>   webhook-timestamp, in seconds since 1970; now unless given' },
  at: { type: 'string', help: '<s>          the clock, in seconds since 1970; "request" takes the request\'s own' },
  check: { type: 'boolean', help: '          tell whether the secret that is given is well-formed' },
  help: { type: 'boolean', short: 'h', help: '           print this' },
  version: { type: 'boolean', help: '        print the version' },
} as const;
