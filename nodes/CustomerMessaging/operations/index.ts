import { customRequest } from './customRequest';
import { email } from './email';
import { event } from './event';
import type { Resource } from './operation';
import { push } from './push';
import { sms } from './sms';
import { user } from './user';

/** All resources and operations of the node, in the order shown in the editor. */
export const resources: readonly Resource[] = [customRequest, email, event, push, sms, user];
