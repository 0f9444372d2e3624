import type { Timestamp } from '@svc/contract';
import type { Instant } from '../../domain/instant.ts';

export const toTimestamp = (instant: Instant): Timestamp => new Date(instant).toISOString();

export const toTimestampOrNull = (instant: Instant | null | undefined): Timestamp | null =>
  instant == null ? null : toTimestamp(instant);
