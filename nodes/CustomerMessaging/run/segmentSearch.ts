import {
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	NodeOperationError,
} from 'n8n-workflow';

import { byName } from '../fields/field';
import { nameSegment } from '../fields/segment';
import { credentialTypes, isAuthentication, readSegments } from './account';

/** Lists the credential's segments for the editor. Makes no request. */
export async function searchSegments(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const chosen = this.getNodeParameter('authentication', 'apiKey');
	const authentication = isAuthentication(chosen) ? chosen : 'apiKey';
	const credential = await this.getCredentials(credentialTypes[authentication]);
	const { names, problems } = readSegments(credential.segments);
	const [problem] = problems;
	if (problem)
		throw new NodeOperationError(this.getNode(), `In the credential: ${problem.message}`);
	if (names.size === 0) throw new NodeOperationError(this.getNode(), noSegments);

	const sought = filter.trim().toLowerCase();
	const found = [...names].filter(
		([id, name]) => name.toLowerCase().includes(sought) || id.startsWith(sought),
	);
	found.sort(([, one], [, other]) => byName(one, other));
	return { results: found.map(([id, name]) => ({ name: nameSegment(id, name), value: id })) };
}

const noSegments =
	"The credential has no segments. Enter them there under 'Segments', one on each line, such as 42 VIP customers, or choose By ID here";
