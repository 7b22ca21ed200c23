import { toText } from '../../../json';
import type { Row, Unparsed } from '../../row';
import { isMessageChannel, isObject } from '../../../terms';
import { EmailView } from './EmailView';
import { ListView } from './ListView';
import { PushView } from './PushView';
import { TextView } from './TextView';

interface Props {
	detail: Unparsed;
	body: unknown;
	row: Row;
}

const columns = {
	user: { 'User ID': 'userID', Name: 'name', Email: 'email', Mobile: 'mobile' },
	event: { 'User ID': 'userID', Event: 'event_name', 'Time as sent': 'event_time' },
};

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
		case 'event':
			return Array.isArray(body.nv) ? (
				<ListView list={body.nv} columns={columns[detail.channel]} problems={detail.problems} />
			) : null;
		default:
			return isMessageChannel(detail.channel) ? <TextView field={field} /> : null;
	}
}
