import type { Detail } from '../../detail';
import { toText } from '../../../json';
import type { Row } from '../../row';
import { isMessageChannel, isObject } from '../../../terms';
import { EmailView } from './EmailView';
import { EventsView } from './EventsView';
import { PushView } from './PushView';
import { TextView } from './TextView';
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
		case 'user':
			return Array.isArray(body.nv) ? (
				<UsersView list={body.nv} problems={detail.problems} />
			) : null;
		case 'event':
			return Array.isArray(body.nv) ? <EventsView list={body.nv} detail={detail} /> : null;
		default:
			return isMessageChannel(detail.channel) ? <TextView field={field} detail={detail} /> : null;
	}
}
