/** The options of all commands, for `parseArgs`. In the help text, `help` follows the option's name. */
export const OPTIONS = {
  secret: {
    type: 'string',
    short: 's',
    multiple: true,
    help: '<text>   signing secret; repeatable. Default: the environment variable WEBHOOK_SECRET',
  },
  event: { type: 'string', short: 'e', help: '<type>    event type; default: webhook.ping' },
  subject: {
    type: 'string',
    help: "<id>    id of the event's subject; default: a sample id that does not exist in any service",
  },
  body: { type: 'string', short: 'b', help: '<file>     file with the body; - reads standard input' },
  header: {
    type: 'string',
    short: 'H',
    multiple: true,
    help: '<line>   header of the request, "name: value"; repeatable',
  },
  id: { type: 'string', help: '<text>       webhook-id; default: a new one' },
  timestamp: { type: 'string', help: '<s>   webhook-timestamp, in seconds since 1970; default: now' },
  at: {
    type: 'string',
    help: '<s>          time of the check, in seconds since 1970, or "request" to skip the check of the age',
  },
  check: { type: 'boolean', help: '          check whether the given secret is well-formed' },
  help: { type: 'boolean', short: 'h', help: '           print this help' },
  version: { type: 'boolean', short: 'V', help: '        print the version' },
} as const;
