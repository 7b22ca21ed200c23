/** How a command is run with a variable in the shell of this machine. */
export function withVariable(name: string, value: string, platform = process.platform): string {
	// In PowerShell, the standard shell of Windows.
	return platform === 'win32' ? `$env:${name}='${value}'; npm start` : `${name}=${value} npm start`;
}

/** A command that posts JSON, for the shell of this machine. PowerShell has another `curl` of its own. */
export function postCommand(url: string, json: string, platform = process.platform): string {
	return platform === 'win32'
		? `Invoke-RestMethod -Method Post -Uri ${url} -ContentType application/json -Body '${json}'`
		: `curl -X POST ${url} -H 'content-type: application/json' -d '${json}'`;
}
