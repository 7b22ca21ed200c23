import type { Detail } from '../../detail';
import { toText } from '../../../json';
import type { Row } from '../../row';
import { isObject } from '../../../terms';
import { EmailView } from './EmailView';
import { EventsView } from './EventsView';
import { PushView } from './PushView';
import { SmsView } from './SmsView';
import { UsersView } from './UsersView';

interface Props {
	detail: Detail;
	body: unknown;
	row: Row;
}

/** Shows what the recipient would have seen, if anything. */
export function Rendering({ detail, body, row }: Props) {
	if (!isObject(body)) return null;
	const field = (key: string) => toText(body[key]);
	switch (detail.channel) {
		case 'push':
			return (
				<PushView
					field={field}
					platform={detail.platform ?? 'web'}
					atMs={'atMs' in row.schedule ? row.schedule.atMs : row.time}
				/>
			);
		case 'email':
			return (
				<EmailView field={field} seq={detail.seq} to={row.audience === 'person' ? row.to : ''} />
			);
		case 'sms':
			return <SmsView field={field} sms={detail.sms} />;
		case 'user':
			return Array.isArray(body.nv) ? (
				<UsersView list={body.nv} problems={detail.problems} />
			) : null;
		case 'event':
			return Array.isArray(body.nv) ? <EventsView list={body.nv} detail={detail} /> : null;
		default:
			return null;
	}
}
