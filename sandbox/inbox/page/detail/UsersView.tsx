import { toText } from '../../../json';
import { isObject, type Problem } from '../../../terms';
import { Text } from '../Text';

const mostUsers = 200;
const known = ['name', 'email', 'mobile'];

export function UsersView({ list, problems }: { list: unknown[]; problems: Problem[] }) {
	return (
		<figure class="users" tabIndex={0} aria-label="Table of the users">
			<table>
				<thead>
					<tr>
						<th scope="col">User ID</th>
						<th scope="col">Name</th>
						<th scope="col">Email</th>
						<th scope="col">Mobile</th>
						<th scope="col">Other attributes</th>
					</tr>
				</thead>
				<tbody>
					{list.slice(0, mostUsers).map((user, index) => (
						<User
							key={index}
							user={user}
							isRefused={problems.some(({ path }) => path.startsWith(`nv[${index}]`))}
						/>
					))}
				</tbody>
			</table>
			{list.length > mostUsers && (
				<figcaption>
					and {(list.length - mostUsers).toLocaleString()} more, in the request below
				</figcaption>
			)}
		</figure>
	);
}

function User({ user, isRefused }: { user: unknown; isRefused: boolean }) {
	const { userID, user_attributes: given } = isObject(user) ? user : {};
	const attributes = isObject(given) ? given : {};
	const others = Object.entries(attributes).filter(([name]) => !known.includes(name));
	return (
		<tr class={isRefused ? 'is-refused' : ''}>
			<th scope="row">
				<Text of={toText(userID) || 'Without a user ID'} />
				{isRefused && <span class="outcome bad">Refused</span>}
			</th>
			{known.map((name) => (
				<td key={name}>
					<Text of={toText(attributes[name])} />
				</td>
			))}
			<td>
				{others.map(([name, value]) => (
					<span key={name} class="attribute">
						<Text of={`${name}: ${toText(value)}`} />
					</span>
				))}
			</td>
		</tr>
	);
}
