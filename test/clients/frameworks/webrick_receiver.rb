require 'openssl'
require 'set'
require 'webrick'

KEY = ENV.fetch('WEBHOOK_SECRET').delete_prefix('whsec_').unpack1('m')
seen = Set.new
$stdout.sync = true

server = WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: ENV.fetch('PORT').to_i, AccessLog: [])
server.mount_proc('/hooks') do |request, response|
  signed = "#{request['webhook-id']}.#{request['webhook-timestamp']}.#{request.body}"
  signature = "v1,#{[OpenSSL::HMAC.digest('SHA256', KEY, signed)].pack('m0')}"
  if request['webhook-signature'].to_s.split(' ').include?(signature)
    puts "applied #{request['webhook-id']}" if seen.add?(request['webhook-id'])
    response.status = 204
  else
    response.status = 401
  end
  response['content-type'] = 'application/json'
  response.body = '{"detail":"ok"}'
end
trap('TERM') { server.shutdown }
server.start
