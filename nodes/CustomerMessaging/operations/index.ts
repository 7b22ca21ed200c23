import { customRequest } from './customRequest';
import { email } from './email';
import type { Resource } from './operation';
import { push } from './push';
import { sms } from './sms';
import { user } from './user';

/** Everything the node can do, sorted as the editor shows it. */
export const resources: readonly Resource[] = [customRequest, email, push, sms, user];
