import { email } from './email';
import type { Channel } from './operation';
import { push } from './push';
import { sms } from './sms';

/**
 * All channels. The first is the form's default. n8n's human review of AI agents uses it, and a push to the reviewer
 * needs the fewest settings.
 */
export const channels: readonly [Channel, ...Channel[]] = [push, email, sms];
