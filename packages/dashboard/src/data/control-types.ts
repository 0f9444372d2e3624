/** Responses of the control API's older calls, as far as the dashboard reads them. */

export interface LoggedAttempt {
  number: number;
  startedAt: string;
  endedAt: string;
  request: { url: string; headers: Record<string, string>; body: unknown; bodyText: string | null };
  response: { status: number; headers: Record<string, string>; body: string | null } | null;
  responseTimeMs: number;
  error: string | null;
  /** The result came back after its lease was lost: it changed nothing. */
  late: boolean;
}

export interface DeliveryExplanation {
  reason: string;
  sentence: string;
  status: string;
  attempt: number;
  attemptsLeft: number;
  nextAttemptAt: string | null;
  endpoint: {
    id: string;
    active: boolean;
    deleted: boolean;
    consecutiveFailures: number;
    failuresUntilDisabled: number | null;
  };
}
