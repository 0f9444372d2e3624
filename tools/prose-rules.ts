/** A wording that readers stumble over, with an example sentence, and a plain sentence with the same meaning. */
export interface ProseRule {
  pattern: RegExp;
  instead: string;
  bad: string;
  good: string;
}

/**
 * What `npm run check:prose` rejects. A count of words or syllables says little about a sentence: even a short sentence
 * is hard if its noun is missing. So this list has words and phrases that a reader has stumbled over. If a reader
 * stumbles over another word or phrase, add a rule.
 */
export const PROSE_RULES: readonly ProseRule[] = [
  {
    pattern: /\banother than\b/i,
    instead: 'name what is meant: any non-…',
    bad: 'An address of another than loopback needs a token.',
    good: 'Any non-loopback address requires a token.',
  },
  {
    pattern: /(?<!\bthere |\bThere )\b(?:is|are|was|were) (?:no|none)\b(?! longer)/,
    instead: 'is not, must be, has no',
    bad: 'The value is no whole number.',
    good: 'The value must be an integer.',
  },
  {
    pattern: /\bwhole numbers?\b/i,
    instead: 'integer',
    bad: 'The limit is a whole number.',
    good: 'The limit is an integer.',
  },
  { pattern: /\banew\b/i, instead: 'again', bad: 'A replay sends it anew.', good: 'A replay sends it again.' },
  {
    pattern: /\b(?:amends?|mends?|mended)\b/i,
    instead: 'fix',
    bad: 'It mends what it can.',
    good: 'It fixes what it can.',
  },
  {
    pattern: /\b(?:are|is) others now\b|\bcomes? any more\b/i,
    instead: 'have changed; no further …',
    bad: 'Nothing comes any more.',
    good: 'No further attempts follow.',
  },
  {
    pattern: /\bno longer cannot\b|\bnot un\w+\b|\bcannot not\b|\bnever not\b/i,
    instead: 'say it without two negations',
    bad: 'That is not unusual.',
    good: 'That is usual.',
  },
  {
    pattern: /^(?:Whoever|Whatever|Wherever|Whichever)\b/,
    instead: 'anyone who, everything that, in every place',
    bad: 'Whoever has the secret can sign.',
    good: 'Anyone who has the secret can sign.',
  },
  {
    pattern: /\bin the midst of\b|\bfor want of\b|\bone upon another\b|\bat last\b/i,
    instead: 'during, without, one after another, finally',
    bad: 'It stops for want of a database.',
    good: 'It stops without a database.',
  },
  {
    pattern: /\bof (?:its|their|his|your|our|my) own\b/i,
    instead: 'its own …, a separate …',
    bad: 'Each test has a workspace of its own.',
    good: 'Each test has a separate workspace.',
  },
  {
    pattern: /\bas (?:it is|they are)\b(?=[.,;:]|$)/,
    instead: 'unchanged',
    bad: 'Pass it as it is.',
    good: 'Pass it unchanged.',
  },
  {
    pattern: /\bthe ones\b/i,
    instead: 'name them',
    bad: 'It keeps the ones that failed.',
    good: 'It keeps failed deliveries.',
  },
  {
    pattern: /\b(?:lies|stands) (?:in|on|at|under|below|behind)\b/i,
    instead: 'is in',
    bad: 'The key lies in a file.',
    good: 'The key is in a file.',
  },
  {
    pattern: /\b(?:whereby|thereof|thereby|hereby|wherein|herein|whereupon|notwithstanding|aforementioned)\b/i,
    instead: 'the common word',
    bad: 'A setting whereby retries stop.',
    good: 'A setting that stops retries.',
  },
  {
    pattern: /\b(?:utilize|utilise|leverage|facilitate|commence|terminate|prior to|in order to|subsequent to)\b/i,
    instead: 'use, help, start, end, before, to, after',
    bad: 'Restart in order to apply it.',
    good: 'Restart to apply it.',
  },
  {
    pattern: /\b(?:is|are) (?:4\d\d|5\d\d)\b/,
    instead: 'returns 400, is rejected with 400',
    bad: 'A name with a line break is 400.',
    good: 'A name with a line break is rejected with 400.',
  },
  {
    pattern: /\b(?:what|became|becomes) (?:becomes |became )?of (?:it|them|a|the|its)\b/i,
    instead: 'the result, the state',
    bad: 'The list shows what became of it.',
    good: 'The list shows its result.',
  },
  {
    pattern: /\b(?:simply|just(?! (?:after|before))|easily|obviously|of course)\b/i,
    instead: 'leave it out',
    bad: 'Simply call it.',
    good: 'Call it.',
  },
  {
    pattern: /\b(?:the server|the service|the receiver|it|your program|your receiver) answers?\b/i,
    instead: 'responds, returns',
    bad: 'The server answers with 200.',
    good: 'The server returns 200.',
  },
];

/** Returns the rules that a sentence breaks. */
export const rulesBrokenBy = (sentence: string): ProseRule[] =>
  PROSE_RULES.filter(({ pattern }) => pattern.test(sentence));
