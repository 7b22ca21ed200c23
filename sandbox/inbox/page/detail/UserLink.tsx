import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Text } from '../Text';

/** Opens the page of a user. */
export const OpenUser = createContext<(userID: string) => void>(() => undefined);

/** The name of a user, which leads to what the sandbox knows of that user. */
export function UserLink({ userID }: { userID: string }) {
	const open = useContext(OpenUser);
	if (userID === '') return <>Without a user ID</>;
	return (
		<button type="button" class="user-link" onClick={() => open(userID)}>
			<Text of={userID} />
		</button>
	);
}
