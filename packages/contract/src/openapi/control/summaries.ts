/** What each sample of a body or an answer shows, where there are several. */
export const SUMMARIES: Readonly<Record<string, readonly string[]>> = {
  'changeClock.body': [
    'Move the clock by five minutes.',
    'Move the clock to a time.',
    'Stop the clock.',
    'Let the clock run again.',
    'Return to the real time.',
  ],
  'createEvent.body': ['One event.', 'Several events.'],
  'createEvent.answer': ['One event, with its deliveries.', 'Several events, each with its deliveries.'],
  'setOrganizationRole.body': ['Make the user an admin.', 'End the membership.'],
  'setWorkspaceOverride.body': ['Deny access to the workspace.', 'Remove the override.'],
  'createCredential.body': ['An API key of a workspace.', 'A personal access token of a user.'],
  'createSession.body': ['Act as a user.', 'Act as an API key of a workspace.', 'Replace the admin token.'],
  'readDataSource.answer': ['The server reads a URL every hour.', 'The seed imported a file.'],
  'setDataSource.body': ['Profiles are pushed.', 'The server reads a URL every hour.'],
  'createFault.body': [
    'Answer some reads with 503, after half a second.',
    'Reset the connection instead of answering.',
    'Lose requests to the API.',
    'Let first attempts to an endpoint fail with 503, after half a second.',
    'Reset the connections of deliveries.',
    'Lose the answers of receivers.',
    'Send deliveries twice.',
    'Send deliveries out of order.',
  ],
  'readStream.answer': ['The first message.', 'An event was stored, and deliveries changed.'],
};
