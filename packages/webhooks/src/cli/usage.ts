/** What `--help` prints. */
export const USAGE = `svc-webhooks <command> [options]

  sign                 print a signed message, as it goes over the wire
  verify [file]        verify a captured request, and explain why it fails; - or nothing reads standard input
  send <url>           post a signed message, and print the answer
  secret               draw a signing secret; with --check, tell whether one is well-formed

  -s, --secret <text>  signing secret; repeat for several. Else the variable WEBHOOK_SECRET
  -e, --event <type>   sign, send: an event of this type, webhook.ping unless given
  -b, --body <file>    sign, send: this body instead; verify: the body, with --header
  -H, --header <line>  verify: a header of the request, "name: value"; repeat
      --id <text>      sign, send: webhook-id
      --timestamp <s>  sign, send: webhook-timestamp
      --at <s>         verify: the clock, in seconds since 1970; "request" takes the request's own
  -h, --help

verify reads a request as HTTP text (headers, empty line, body), as JSON with headers and body,
or as the service's API shows a delivery. Ends with 0, with 1 where a message is refused, with 2 on a mistake in the command.
`;
